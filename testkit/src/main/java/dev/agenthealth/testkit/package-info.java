/**
 * Test support for all modules: clocks, DynamoDB clients with faults or records, AWS services inside the test's own JVM, and checks of
 * events and documents against their schemas. It does not depend on the functions and is not deployed.
 */
package dev.agenthealth.testkit;
