/**
 * Workflows and what they declare: defaults of roles, sizes of pools, and the lists of roles, providers and platforms. How defaults are inherited
 * is decided in the model.
 */
package dev.agenthealth.functions.storage.workflows;
