/**
 * Test support for all modules: clocks, DynamoDB clients that fail, pause, count or record, AWS services inside the test's own JVM, and
 * checks of events and documents against their published schemas. It does not depend on the functions and is not deployed.
 */
package dev.agenthealth.testkit;
