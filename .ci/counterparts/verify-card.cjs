// Verifies the card at the URL of the first argument with the official A2A SDK for JavaScript, and that an altered one is refused.
const { verifyAgentCardSignature } = require('@a2a-js/sdk');

const read = async (url) => (await fetch(url)).json();
const verify = verifyAgentCardSignature(async (kid, jku) => (await read(jku)).keys.find((key) => key.kid === kid));

async function main() {
  const card = await read(process.argv[2]);
  await verify(card);
  const refused = await verify({ ...card, name: 'altered' }).then(() => false, () => true);
  if (refused) console.log('verified');
}

main().catch((error) => { console.error(error); process.exitCode = 1; });
