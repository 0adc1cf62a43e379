import type { components } from "./api.js";

/** The documents of the HTTP API by name, such as `Schemas["Agent"]`; generated from its description. */
export type Schemas = components["schemas"];
