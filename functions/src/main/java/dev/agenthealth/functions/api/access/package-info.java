/** Access control: authentication by API key, roles, and access to single agents. */
package dev.agenthealth.functions.api.access;
