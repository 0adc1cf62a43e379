/** What a workflow file declares for the agents of its roles, and what pools are made of (RFC-0016 §7, §12). */
package dev.agenthealth.model.workflow;
