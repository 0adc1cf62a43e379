// Where the registry is: this file is at page/VERSION/registry.js, and the registry may be below a path.

/** The path of the registry without a slash at its end; empty at the root of its host. */
export const prefix = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** The address of the registry, without a slash at its end. */
export const registry = location.origin + prefix;

/** The name of an item of this tab: registries below other paths of the same host have items of their own. */
export const stored = name => name + prefix;

/** An item of this tab, or of this device where `keep` was chosen. */
export const item = name => ({
  get: () => sessionStorage.getItem(name) || localStorage.getItem(name) || '',
  isKept: () => Boolean(localStorage.getItem(name)),
  set: (value, keep) => {
    (keep ? sessionStorage : localStorage).removeItem(name);
    (keep ? localStorage : sessionStorage).setItem(name, value);
  },
  clear: () => [sessionStorage, localStorage].forEach(place => place.removeItem(name)),
});
