/** What an administrator may change while the system runs. */
package dev.agenthealth.model.configuration;
