import js from "@eslint/js";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

/** The directories of src from the bottom up: each may import those before it, and itself. */
const LAYERS = ["api", "text", "model", "state", "ui", "board", "analysis"];
/**
 * The pages stand side by side; a replay shows a game, so it may use the parts of that page.
 * @type {Record<string, string[]>}
 */
const PAGES = { front: [], game: [], replay: ["game"], openings: [] };
const ALL = [...LAYERS, ...Object.keys(PAGES), "frame"];

/** @param {string} target @param {string[]} allowed */
const zone = (target, allowed) => ({
  target: `./src/${target}`,
  from: ALL.filter((name) => name !== target && !allowed.includes(name)).map((name) => `./src/${name}`),
  message: `${target} may import ${allowed.join(", ") || "nothing"}`,
});

export default defineConfig(
  { ignores: ["node_modules", "src/api/schema.ts"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js"] } } },
    plugins: { "react-hooks": hooks, "import-x": importX },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".tsx", ".js"] })],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
    },
    rules: {
      ...hooks.configs.recommended.rules,
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "import-x/no-cycle": "error",
      "import-x/no-restricted-paths": [
        "error",
        {
          zones: [
            ...LAYERS.map((name, at) => zone(name, LAYERS.slice(0, at))),
            ...Object.entries(PAGES).map(([name, others]) => zone(name, [...LAYERS, ...others])),
          ],
        },
      ],
    },
  },
);
