// Parts that several views show.
import { html, nothing, render, svg } from './lit-html.js';
import { number, words } from './format.js';

/** A value with its colour, and its text for those who see no colour. */
export const badge = (value, text = value) => html`<span class="badge ${value}">${words(text)}</span>`;

export const agentLink = id => html`<a href="#/agents/${encodeURIComponent(id)}">${id}</a>`;

/** Shares of a whole as one bar; its text is read to those who do not see it. */
export function bar(counts, names, label) {
  const total = names.reduce((sum, name) => sum + (counts[name] || 0), 0);
  let x = 0;
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img"
      aria-label=${`${label}: ${names.filter(n => counts[n]).map(n => `${counts[n]} ${words(n)}`).join(', ') || 'none'}`}>
    ${names.filter(name => total && counts[name]).map(name => {
      const width = 100 * counts[name] / total;
      x += width;
      return rect(name, x - width, width);
    })}
  </svg>`;
}

const rect = (name, x, width) => svg`<rect class=${name} x=${x} y="0" width=${width} height="6"></rect>`;

export const count = (value, name, href) => html`
  <a class="tile ${name}" href=${href}><strong>${number(value)}</strong><span>${words(name)}</span></a>`;

export const empty = text => html`<p class="empty">${text}</p>`;

export const failure = error => error ? html`<p class="failure" role="alert">${error.message}</p>` : nothing;

export const loading = html`<p class="empty" role="status">Loading …</p>`;

/** Pairs of a name and a value; pairs without a value are left out. */
export const facts = pairs => html`<dl>${pairs.filter(([, value]) => value !== undefined && value !== '')
  .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A table in a region that scrolls sideways on narrow screens. */
export const table = (caption, heads, rows) => html`
  <div class="scroll" tabindex="0" role="region" aria-label=${caption}><table>
    <caption>${caption}</caption>
    <thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;

/** Asks before something is done; resolves to the form's data, or to null. */
export function confirmed(title, text, fields = nothing) {
  return new Promise(resolve => {
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    render(html`<form method="dialog"><h2>${title}</h2><p>${text}</p>${fields}
        <div class="actions"><button value="no" formnovalidate>Cancel</button><button value="yes" class="danger">${title}</button></div></form>`, dialog);
    dialog.addEventListener('close', () => {
      const data = dialog.returnValue === 'yes' ? new FormData(dialog.querySelector('form')) : null;
      dialog.remove();
      resolve(data);
    });
    dialog.showModal();
  });
}
