// The events of the last time, kept up to date by the feed's resume token.
import { get, query } from './api.js';

const HOUR_SECONDS = 3600;

export class Feed {
  events = [];
  token = '';
  truncated = false;
  allowed = true;

  /** Events of the last hour unless another time is given, of all agents unless filters are given. */
  constructor({ seconds = HOUR_SECONDS, filters = {}, pages = 5, most = 2000 } = {}) {
    Object.assign(this, { seconds, filters, pages, most });
  }

  /** Reads what is new, and returns it, the newest first. A key that may not read the feed has none. */
  async update() {
    if (!this.allowed) return [];
    const fresh = [];
    const oldest = new Date(Date.now() - 1000 * this.seconds).toISOString();
    try {
      for (let page = 0; page < this.pages; page++) {
        const answer = await get('/api/v1/events' + query({ ...this.filters, since: this.token ? '' : oldest, next_token: this.token, limit: '1000' }));
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
      this.events = fresh.concat(this.events).slice(0, this.most).filter(event => (event.timestamp || event.detected_at || '') > oldest);
    }
    return fresh;
  }
}
