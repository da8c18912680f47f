/** A link within the page. */
import type { AnchorHTMLAttributes, MouseEvent } from "react";

import { navigate, routes } from "../state/route";
import { useStore } from "../state/store";

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string };

export function Link({ to, children, ...rest }: LinkProps) {
  useStore(routes);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  const current = location.pathname === to ? "page" : undefined;
  return (
    <a href={to} aria-current={current} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
