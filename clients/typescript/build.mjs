// Builds dist/esm and dist/cjs, with the types of the API from its description.
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

process.chdir(import.meta.dirname ?? new URL(".", import.meta.url).pathname);
const run = (file, ...rest) => execFileSync(process.execPath, [`node_modules/${file}`, ...rest], { stdio: ["ignore", "ignore", "inherit"] });

rmSync("dist", { recursive: true, force: true });
run("openapi-typescript/bin/cli.js", "../../docs/openapi.yaml", "-o", "src/api.ts", "--default-non-nullable", "false");
const types = readFileSync("src/api.ts", "utf8");
const start = types.indexOf("export interface components {");
// The schemas are used, and are half of it.
writeFileSync("src/api.ts", `${types.slice(start, types.indexOf("\n    };\n", start))}\n    };\n}\n`);
run("typescript/bin/tsc");
run("typescript/bin/tsc", "--module", "CommonJS", "--moduleResolution", "Node10", "--outDir", "dist/cjs", "--declaration", "false", "--noCheck");
for (const file of readdirSync("dist/esm").filter((name) => name.endsWith(".d.ts"))) copyFileSync(`dist/esm/${file}`, `dist/cjs/${file}`);
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
