/** For tests of programs that use the client: time that the test moves. */
package dev.agenthealth.client.testing;
