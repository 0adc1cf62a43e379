// What needs Node, or a platform with its modules: files and its HTTP server.
import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { checkedKey, Key, TokenSource } from "./calls.js";
import { HEALTH_DOCUMENT_PATH, OwnHealth } from "./document.js";

const MAX_BYTES = 8 * 1024;
const CHECK_MILLIS = 1000;

/**
 * A token of an identity provider in a file that the platform replaces before the token ends; give it in place of a key. The file is read again
 * where it has changed, at most once a second, and when the registry refuses the token. One without a token for a moment leaves the last in use.
 */
export class TokenFile implements TokenSource {
  readonly #monotonic: () => number;
  #checkedAt = 0;
  #stamp = "";
  #token = "";

  /** @throws TypeError where the file has no token that can be sent, or is larger than 8 KB */
  constructor(readonly file: string, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
    this.readAgain();
  }

  token(): string {
    if (this.#monotonic() - this.#checkedAt >= CHECK_MILLIS) {
      try {
        this.#read(this.#stamp);
      } catch {
        // The registry says whether the last token still holds.
      }
    }
    return this.#token;
  }

  readAgain(): string {
    try {
      this.#read();
    } catch (error) {
      throw error instanceof TypeError ? error : new TypeError(`the token file ${this.file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
    }
    return this.#token;
  }

  #read(known?: string): void {
    this.#checkedAt = this.#monotonic();
    const { mtimeMs, size, ino } = statSync(this.file);
    // Taken before the content: a change in between is found by the next look.
    const stamp = `${mtimeMs} ${size} ${ino}`;
    if (stamp === known) return;
    if (size > MAX_BYTES) throw new TypeError(`the token file ${this.file} is larger than 8 KB`);
    const text = readFileSync(this.file, "latin1").replace(/^\xEF\xBB\xBF/, "").trim();
    if (!text) throw new TypeError(`the token file ${this.file} is empty`);
    try {
      this.#token = checkedKey(text);
    } catch {
      throw new TypeError(`the token file ${this.file} has characters other than visible ASCII; it must hold the token alone`);
    }
    this.#stamp = stamp;
  }
}

/**
 * The key in `AGENT_HEALTH_KEY`, or else the token in the file that `AGENT_HEALTH_TOKEN_FILE` names.
 *
 * @throws TypeError where neither is set, or the file has no token
 */
export function keyFromEnvironment(environment: NodeJS.ProcessEnv = process.env): Key {
  const key = environment.AGENT_HEALTH_KEY?.trim();
  const file = environment.AGENT_HEALTH_TOKEN_FILE?.trim();
  if (key) return key;
  if (!file) throw new TypeError("neither of the environment variables AGENT_HEALTH_KEY and AGENT_HEALTH_TOKEN_FILE is set");
  return new TokenFile(file);
}

/**
 * Serves the health document of an agent from Node's HTTP server, or from Express as `app.use(healthListener(health))`. Without `next`, other
 * paths are 404.
 */
export function healthListener(health: OwnHealth) {
  return (request: IncomingMessage, response: ServerResponse, next?: () => void): void => {
    if ((request.url ?? "").split("?")[0] !== HEALTH_DOCUMENT_PATH) {
      if (next) next();
      else response.writeHead(404).end();
      return;
    }
    const { status, headers, body } = health.answer(request.method ?? "GET", request.headers["if-none-match"]);
    response.writeHead(status, headers).end(body);
  };
}
