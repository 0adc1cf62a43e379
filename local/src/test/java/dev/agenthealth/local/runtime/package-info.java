/** The package that is deployed, run as Lambda runs it, beside the local run. */
package dev.agenthealth.local.runtime;
