/** The bar at the top: home, the opening maps, colours and sound. */
import { saveSettings, settings, type Theme } from "../state/settings";
import { useStore } from "../state/store";
import { t } from "../text";
import { Icon } from "../ui/Icon";
import { Link } from "../ui/Link";
import "./Header.css";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

export function Header() {
  const { sound, theme } = useStore(settings);
  const themeText = `${t.settings.theme.label}: ${t.settings.theme[theme]}`;
  return (
    <header className="header">
      <Link to="/" className="logo">
        <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">
          <path className="logo-x" d="M12 12l18 18M30 12L12 30" />
          <circle className="logo-o" cx="42" cy="42" r="11" />
          <circle className="logo-dot" cx="47" cy="17" r="3.5" />
          <circle className="logo-dot" cx="17" cy="47" r="3.5" />
        </svg>
        <span>{t.name}</span>
      </Link>
      <nav aria-label={t.nav.label}>
        <Link to="/">{t.nav.play}</Link>
        <Link to="/openings">{t.nav.openings}</Link>
      </nav>
      <div className="header-tools">
        <button
          type="button"
          className="icon-button"
          aria-pressed={sound}
          aria-label={t.settings.sound(sound)}
          title={t.settings.sound(sound)}
          onClick={() => saveSettings({ sound: !sound })}
        >
          <Icon name={sound ? "sound" : "mute"} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={themeText}
          title={themeText}
          onClick={() => saveSettings({ theme: NEXT[theme] })}
        >
          <Icon name={theme === "auto" ? "auto" : theme === "light" ? "sun" : "moon"} />
        </button>
      </div>
    </header>
  );
}
