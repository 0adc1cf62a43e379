/** Access: authentication by API key, roles, and single agents. */
package dev.agenthealth.functions.access;
