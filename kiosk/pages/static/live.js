// The live connection: every message carries the whole state with its place in the log, so a page that was away is right again with the next one.

const SILENCE_MS = 12000;

export class Live {
  /** panel: the name of a page that writes ("referee"), so that two of them on one table know of each other. */
  constructor({ onState, onStatus = () => {}, onOnline = () => {}, onEntries = () => {}, onClocks = () => {}, onPanels = () => {}, panel = null }) {
    Object.assign(this, { onState, onStatus, onOnline, onEntries, onClocks, onPanels });
    this.id = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    this.query = panel ? `&panel=${panel}&id=${this.id}` : "";
    this.seq = 0;
    this.wait = 500;
    this.connect();
    addEventListener("online", () => this.again(0));
    addEventListener("offline", () => this.socket?.close());
    addEventListener("pagehide", () => (this.leaving = true));
    addEventListener("pageshow", () => { this.leaving = false; this.again(0); });
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/live?after=${this.seq}${this.query}`);
    this.socket = socket;
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onopen = () => {
      this.wait = 500;
      this.ping = setInterval(() => socket.readyState === 1 && socket.send("ping"), 4000);
      this.heard();
    };
    socket.onclose = () => {
      clearInterval(this.ping);
      clearTimeout(this.silence);
      if (this.leaving) return;
      this.onOnline(false);
      this.again(this.wait);
      this.wait = Math.min(this.wait * 1.7, 8000);
    };
  }

  again(after) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.socket || this.socket.readyState === WebSocket.CLOSED) this.connect();
    }, after);
  }

  heard() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.socket.close(), SILENCE_MS);
  }

  take(message) {
    this.heard();
    if (message.type === "hello") {
      const own = document.documentElement.dataset.version;
      if (message.version !== own) {
        location.reload();
        return;
      }
      if (message.reset) this.seq = 0;
      this.onOnline(true);
      this.onEntries(message.missed);
    } else if (message.type === "state") {
      if (message.seq < this.seq) return;
      this.seq = message.seq;
      this.onState(message);
      this.onEntries(message.entries);
    } else if (message.type === "status") {
      this.onStatus(message);
    } else if (message.type === "clocks") {
      this.onClocks(message);
    } else if (message.type === "presence") {
      this.onPanels(message.panels);
    }
  }
}

/** Ask the table; a refusal comes back as {ok: false, words}. */
export async function ask(path, body) {
  try {
    const answer = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await answer.json();
    return answer.ok ? { ok: true, data } : { ok: false, status: answer.status, words: data };
  } catch {
    return { ok: false, status: 0, words: null };
  }
}
