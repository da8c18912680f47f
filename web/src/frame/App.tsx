/** The frame around every page. */
import { lazy, Suspense, useEffect, useRef } from "react";

import { FrontPage } from "../front/FrontPage";
import { GamePage } from "../game/GamePage";
import { type Route, routes } from "../state/route";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { ErrorBoundary } from "../ui/ErrorBoundary";
import { NotFound } from "../ui/NotFound";
import { Header } from "./Header";
import { LiveRegions } from "./LiveRegions";
import { PageFailed } from "./PageFailed";
import "./App.css";

const ReplayPage = lazy(() => import("../replay/ReplayPage"));
const RulesPage = lazy(() => import("../rules/RulesPage"));
const OpeningsPage = lazy(() => import("../openings/OpeningsPage"));

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case "front":
      return <FrontPage />;
    case "play":
    case "watch":
      return <GamePage key={route.id} id={route.id} watching={route.page === "watch"} />;
    case "replay":
      return <ReplayPage key={route.id} id={route.id} />;
    case "openings":
      return <OpeningsPage game={route.game} />;
    case "rules":
      return <RulesPage key={route.game} game={route.game} />;
    case "missing":
      return <NotFound what="page" />;
  }
}

export function App() {
  const { route } = useStore(routes);
  const { theme } = useStore(settings);
  const main = useRef<HTMLElement>(null);
  const opened = useRef(route);
  useEffect(() => {
    if (theme === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = t.language;
  }, []);
  useEffect(() => {
    // A new page begins at its top, for eyes and screen readers alike; the first one needs no help.
    if (opened.current === route) return;
    opened.current = route;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [route]);
  return (
    <>
      <a className="skip" href="#main">
        {t.skip}
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={location.pathname} instead={<PageFailed />}>
          <Suspense fallback={<p className="loading">…</p>}>
            <Page route={route} />
          </Suspense>
        </ErrorBoundary>
      </main>
      <LiveRegions />
    </>
  );
}
