// What administrators set up: the tabs of its views.
import { html } from './lit-html.js';
import { failure, tabs } from './parts.js';

const VIEWS = [['keys', 'Keys'], ['identity-providers', 'Sign-in'], ['notifications', 'Notifications'], ['silences', 'Silences'], ['stops', 'Stop'], ['containment', 'Containment'], ['status-page', 'Status page'], ['sources', 'Sources'], ['workflows', 'Workflows'], ['configuration', 'Configuration'], ['audit', 'Audit']];

export const isAdministration = name => VIEWS.some(([view]) => view === name);

// Views that other roles may read, too.
const SHARED = ['silences', 'status-page', 'workflows'];

/** Whether only an administrator may see a view, and the user is none. */
export const isRefused = (app, name) => isAdministration(name) && !SHARED.includes(name) && !app.may.administer;

/** The view instead of a refused view. It reads nothing. */
export const refused = { title: 'Not allowed', view: () => html`<h1>Not allowed</h1>${failure({ message: 'Only an administrator may see this view.' })}` };

export const administration = current => tabs('Administration', current, VIEWS);
