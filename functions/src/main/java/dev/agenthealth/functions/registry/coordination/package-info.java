/** Pools and workflows (RFC-0016 §7, §12), including the reader of YAML files. The YAML of callers is read nowhere else. */
package dev.agenthealth.functions.registry.coordination;
