/**
 * HTTP calls to addresses that other parties choose: the address is checked and pinned, time and size are limited. No A2A protocol and no
 * storage here.
 */
package dev.agenthealth.functions.runtime.outbound;
