/** The rules of operators that contain agents by themselves, and what such a rule does with one agent. */
package dev.agenthealth.model.health.containment;
