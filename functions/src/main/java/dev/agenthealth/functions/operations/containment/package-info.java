/** The administration of the rules that contain agents. */
package dev.agenthealth.functions.operations.containment;
