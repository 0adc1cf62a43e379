/** IP addresses, address blocks, and their purposes. This package resolves no names. */
package dev.agenthealth.model.address;
