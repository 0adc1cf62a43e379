/** The rules about declarations of agents: the differences between a declaration and the accepted one. */
package dev.agenthealth.model.registry.declaration;
