/** A small template of its own and functions for it, so that the local run is tested apart from the system it runs. */
package dev.agenthealth.local.testing;
