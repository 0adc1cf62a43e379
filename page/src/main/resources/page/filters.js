// Filters of the things of a list that was read as a whole. The address keeps them, so that it can be shared.
import { html, nothing } from './lit-html.js';
import { query } from './api.js';
import { empty } from './parts.js';
import { number } from './format.js';

// A shorter list needs no filters.
const FEW = 5;

/**
 * The filters of a view. `words` returns the texts of a thing in which the search looks. A choice is `{ name, label, of }`, where `of` returns the value of a thing in words.
 * Returns a function that shows the filters above the things that match.
 */
export function filtered(app, view, parameters, words, choices) {
  let open = false;
  const value = name => parameters.get(name) || '';
  const change = (name, text) => {
    if (text) parameters.set(name, text);
    else parameters.delete(name);
    history.replaceState(null, '', `#/${view}${query(Object.fromEntries(parameters))}`);
    app.show();
  };
  const matches = thing => words(thing).some(text => text?.toLowerCase().includes(value('q').toLowerCase())) && choices.every(({ name, of }) => !value(name) || of(thing) === value(name));
  const choice = ({ name, label, of }, list) => html`<label>${label} <select @change=${e => change(name, e.target.value)}><option value="" ?selected=${!value(name)}>all</option>
    ${[...new Set([...list.map(of), value(name)])].filter(Boolean).sort().map(text => html`<option value=${text} ?selected=${text === value(name)}>${text}</option>`)}</select></label>`;
  return (list, shown) => {
    const narrowed = choices.filter(({ name }) => value(name)).length;
    if (list.length < FEW && !narrowed && !value('q')) return shown(list);
    const found = list.filter(matches);
    return html`<form class=${`filters${open ? ' open' : ''}`} role="search" @submit=${e => e.preventDefault()}>
      <label class="search">Search <input type="search" .value=${value('q')} autocomplete="off" title="Key /" @input=${e => change('q', e.target.value.trim())}></label>
      <button type="button" class="drawer" aria-expanded=${open} @click=${() => { open = !open; app.show(); }}>Filters${narrowed ? ` (${narrowed})` : ''}</button>
      ${choices.map(one => choice(one, list))}</form>
      ${narrowed || value('q') ? html`<p class="note" role="status">${number(found.length)} of ${number(list.length)}.</p>` : nothing}
      ${found.length ? shown(found) : empty('None matches.')}`;
  };
}
