/** The rules of what agents declare: what changed against what an operator accepted. */
package dev.agenthealth.model.registry.declaration;
