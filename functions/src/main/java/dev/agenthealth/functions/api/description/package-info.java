/** The description of the HTTP API, as it is served. The operations themselves belong in the packages of their features. */
package dev.agenthealth.functions.api.description;
