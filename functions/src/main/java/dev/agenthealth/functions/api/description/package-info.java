/** The description of the HTTP API, as it is served. What the operations do belongs into the packages of their features. */
package dev.agenthealth.functions.api.description;
