/** The status page for people outside of the company. */
package dev.agenthealth.model.operations.status;
