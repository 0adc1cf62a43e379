/** Pools and workflows (RFC-0016 §7, §12), including the reader of YAML files. No other package reads YAML of callers. */
package dev.agenthealth.functions.registry.coordination;
