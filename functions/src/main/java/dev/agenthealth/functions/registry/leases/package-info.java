/** Leases: who may work on what, and what becomes of it when the holder goes. */
package dev.agenthealth.functions.registry.leases;
