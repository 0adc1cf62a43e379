/**
 * Workflows and their declarations: defaults of roles, sizes of pools, and the lists of roles, providers and platforms. The model decides
 * how defaults are inherited.
 */
package dev.agenthealth.functions.storage.workflows;
