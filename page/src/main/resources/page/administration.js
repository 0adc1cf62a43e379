// What administrators set up: the tabs of its views.
import { tabs } from './parts.js';

const VIEWS = [['keys', 'Keys'], ['identity-providers', 'Sign-in'], ['notifications', 'Notifications'], ['silences', 'Silences'], ['stops', 'Stop'], ['containment', 'Containment'], ['status-page', 'Status page'], ['sources', 'Sources'], ['workflows', 'Workflows'], ['configuration', 'Configuration'], ['audit', 'Audit']];

export const isAdministration = name => VIEWS.some(([view]) => view === name);

export const administration = current => tabs('Administration', current, VIEWS);
