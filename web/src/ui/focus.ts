/** Where the focus goes when the control that has it goes away. */

const CONTROLS = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled)";

/** The cell of the board that Tab leads to. */
export const BOARD_STOP = '[role="gridcell"][tabindex="0"]';

/**
 * A ref for a part of the page: when its focused control is taken away, the focus goes to the first
 * control of the same section, and where there is none to the board. Without it the focus would fall
 * back to the top of the page.
 */
export function keepFocus(part: HTMLElement | null): (() => void) | undefined {
  if (!part) return;
  let had: { control: Element; home: Element | null; seen: boolean } | null = null;
  const note = ({ target }: FocusEvent) => {
    if (target instanceof Element)
      had = { control: target, home: target.closest("section"), seen: target.matches(":focus-visible") };
  };
  const mend = () => {
    if (had === null || had.control.isConnected) return;
    const { home, seen } = had;
    had = null;
    if (document.activeElement !== document.body) return;
    const next = home?.isConnected ? home.querySelector<HTMLElement>(CONTROLS) : null;
    // Nothing jumps under a finger; with keys one wants to see where one is.
    (next ?? part.querySelector<HTMLElement>(BOARD_STOP))?.focus({ preventScroll: !seen });
  };
  const changes = new MutationObserver(mend);
  changes.observe(part, { childList: true, subtree: true });
  part.addEventListener("focusin", note);
  return () => {
    changes.disconnect();
    part.removeEventListener("focusin", note);
  };
}
