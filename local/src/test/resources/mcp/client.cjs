// Uses every tool and the resources as a client of one era does; the version is the first argument. Prints what it found as JSON.
const [version, url, key] = process.argv.slice(2);
const modern = version === "2026-07-28";
const { Client, StreamableHTTPClientTransport } = modern
    ? require("@modelcontextprotocol/client")
    : { ...require("@modelcontextprotocol/sdk/client/index.js"), ...require("@modelcontextprotocol/sdk/client/streamableHttp.js") };

const errors = [];

async function run() {
    const options = modern ? { versionNegotiation: { mode: { pin: version } } } : {};
    const client = new Client({ name: "agent-health-test", version: "1.0.0" }, options);
    client.onerror = (error) => errors.push(String(error));
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } });
    await client.connect(transport);
    const found = { server: client.getServerVersion()?.name, errors };
    found.version = modern ? client.getNegotiatedProtocolVersion() : transport.protocolVersion;
    found.tools = (await client.listTools()).tools.map((tool) => tool.name);
    const call = (name, args) => client.callTool({ name, arguments: args });
    found.agents = (await call("find_agents", { capabilities: ["billing"] })).structuredContent.agents.map((agent) => agent.agent_id);
    found.health = (await call("agent_health", { agent_id: "a" })).structuredContent.verdict;
    found.advice = (await call("may_i_call", { agent_id: "a" })).structuredContent.advice;
    found.answer = (await call("invoke_agent", { agent_id: "a", message: "Hello" })).structuredContent.status;
    found.fleet = (await call("fleet_health", {})).structuredContent.agents;
    found.drain = (await call("drain_agent", { agent_id: "a", reason: "Prüfung" })).structuredContent.status;
    const refused = await call("agent_health", { agent_id: "unknown" });
    found.refused = [refused.isError, refused.content[0].text];
    found.unknownTool = await call("no_such_tool", {}).then(() => "answered", (error) => error.code);
    found.resources = (await client.listResources()).resources.map((resource) => resource.uri);
    found.templates = (await client.listResourceTemplates()).resourceTemplates.length;
    found.read = [];
    for (const uri of found.resources) {
        const read = JSON.parse((await client.readResource({ uri })).contents[0].text);
        found.read.push(read.health?.status ?? (read.status ? `${read.agent_id} ${read.status}` : read.name));
    }
    found.unknownResource = await client.readResource({ uri: "agent-health://agents/unknown/card" }).then(() => "read", (error) => error.code);
    await client.close();
    return found;
}

run().then(
    (found) => console.log(JSON.stringify(found)),
    (error) => {
        console.error(error, errors);
        process.exit(1);
    });
