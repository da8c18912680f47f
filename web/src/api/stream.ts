/** The live stream of a game: a WebSocket that comes back by itself and asks for what it missed. */
import type { StreamMessage } from "./client";
import { waitBefore } from "./request";

export interface StreamHandlers {
  message: (message: StreamMessage) => void;
  /** The stream is open (again), or it is lost; `tries` counts failures in a row. */
  connection: (open: boolean, tries: number) => void;
  /** The last version known, to resume from. */
  version: () => number | null;
}

/** The server beats every 15 s by default; silence for longer than this is a dead line. */
const SILENCE_LIMIT_MS = 45_000;

export class LiveStream {
  private socket: WebSocket | null = null;
  private timer: number | undefined;
  private watchdog: number | undefined;
  private tries = 0;
  private ended = false;

  constructor(
    private readonly id: string,
    private readonly handlers: StreamHandlers,
  ) {
    window.addEventListener("online", this.retryNow);
    document.addEventListener("visibilitychange", this.retryNow);
    this.open();
  }

  /** Leave for good. */
  close(): void {
    this.ended = true;
    window.removeEventListener("online", this.retryNow);
    document.removeEventListener("visibilitychange", this.retryNow);
    clearTimeout(this.timer);
    clearTimeout(this.watchdog);
    this.socket?.close();
  }

  /** Open the stream anew, so that the server sees who we are now. */
  reconnect(): void {
    this.socket?.close();
  }

  /** Try at once: the network or the user is back. */
  readonly retryNow = (): void => {
    if (this.socket === null && !this.ended && document.visibilityState === "visible") {
      clearTimeout(this.timer);
      this.open();
    }
  };

  private open(): void {
    const version = this.handlers.version();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const resume = version === null ? "" : `?version=${version}`;
    const socket = new WebSocket(
      `${scheme}://${location.host}/game/${encodeURIComponent(this.id)}/live${resume}`,
    );
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      this.heardFrom();
      const message = JSON.parse(event.data) as StreamMessage;
      if (message.type === "state" || message.type === "resumed") this.handlers.connection(true, 0);
      this.handlers.message(message);
    };
    socket.onclose = () => {
      clearTimeout(this.watchdog);
      this.socket = null;
      if (this.ended) return;
      this.handlers.connection(false, this.tries);
      this.timer = window.setTimeout(() => this.open(), waitBefore(this.tries, Math.random()));
      this.tries += 1;
    };
  }

  private heardFrom(): void {
    this.tries = 0;
    clearTimeout(this.watchdog);
    this.watchdog = window.setTimeout(() => this.socket?.close(), SILENCE_LIMIT_MS);
  }
}
