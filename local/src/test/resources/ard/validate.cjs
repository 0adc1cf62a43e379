// Validates a catalogue and the results of a search with the validator of ARD that Lighthouse has; prints what it finds.
// node validate.cjs BASE_URL KEY
const path = require('path');
const { pathToFileURL } = require('url');

const [base, key] = process.argv.slice(2);
const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };

async function main() {
  const module = path.join(path.dirname(require.resolve('lighthouse/package.json')), 'third-party/ard/ard.js');
  const { ConformanceTester } = await import(pathToFileURL(module));
  const check = (json) => {
    const tester = new ConformanceTester();
    tester.validate_manifest(JSON.stringify(json), base);
    return { errors: tester.errors, warnings: tester.warnings };
  };

  const catalogue = await (await fetch(base + '/.well-known/ard.json', { headers })).json();
  const aiCatalog = await (await fetch(base + '/.well-known/ai-catalog.json', { headers })).json();
  const registry = catalogue.entries.find((entry) => entry.type === 'application/ai-registry+json').url;
  const query = { query: { text: 'find an agent for billing', filter: { type: ['application/a2a-agent-card+json'] } } };
  const found = await (await fetch(new URL('search', registry), { method: 'POST', headers, body: JSON.stringify(query) })).json();
  const identifier = found.results[0].identifier;
  const entry = await (await fetch(new URL('agents/' + encodeURIComponent(identifier), registry), { headers })).json();
  const card = await (await fetch(entry.url)).json();
  console.log(JSON.stringify({
    catalogue: check(catalogue),
    aiCatalog: check(aiCatalog),
    results: check({ specVersion: '1.0', entries: found.results }).errors,
    entry: check({ specVersion: '1.0', entries: [entry] }),
    broken: check({ specVersion: '1.0', entries: [{ ...entry, identifier: 'agent' }] }).errors.length,
    identifier,
    scores: found.results.map((result) => result.score),
    card: card.name,
  }));
}

main().catch((e) => { console.error(e); process.exitCode = 1; });
