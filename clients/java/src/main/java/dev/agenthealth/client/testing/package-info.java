/** For tests of programs that use the client: a scheduler with a time that the test moves. */
package dev.agenthealth.client.testing;
