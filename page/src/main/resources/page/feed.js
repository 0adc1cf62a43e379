// The events of the last hour, kept up to date by the feed's resume token.
import { get, query } from './api.js';

const HOUR = 3600_000;
const MAX_PAGES = 5;
const MAX_EVENTS = 2000;

export class Feed {
  events = [];
  token = '';
  truncated = false;
  allowed = true;

  /** Reads what is new, and returns it, the newest first. A key that may not read the feed has none. */
  async update() {
    if (!this.allowed) return [];
    const fresh = [];
    try {
      for (let page = 0; page < MAX_PAGES; page++) {
        const since = this.token ? '' : new Date(Date.now() - HOUR).toISOString();
        const answer = await get('/api/v1/events' + query({ since, next_token: this.token, limit: '1000' }));
        fresh.unshift(...answer.events.reverse());
        this.token = answer.resume_token || this.token;
        this.truncated = Boolean(answer.next_token);
        if (!answer.next_token) break;
      }
    } catch (e) {
      if (e.status === 403) this.allowed = false;
      else if (e.status === 400) this.token = '';
      else throw e;
    } finally {
      const oldest = new Date(Date.now() - HOUR).toISOString();
      this.events = fresh.concat(this.events).slice(0, MAX_EVENTS).filter(event => (event.timestamp || event.detected_at || '') > oldest);
    }
    return fresh;
  }
}
