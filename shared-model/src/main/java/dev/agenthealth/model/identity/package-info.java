/** Who is who: identifiers and the hashes of keys. */
package dev.agenthealth.model.identity;
