/** Who makes a request. */
package dev.agenthealth.functions.access;
