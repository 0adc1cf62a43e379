/** IP addresses, blocks of them, and what they are used for. Resolves no names. */
package dev.agenthealth.model.address;
