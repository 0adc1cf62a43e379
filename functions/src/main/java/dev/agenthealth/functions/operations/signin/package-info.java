/** Sign-in of people at the page and at a terminal. The registry passes requests on to their identity provider, and stores nothing. */
package dev.agenthealth.functions.operations.signin;
