/** Sign-in of people at the page and at a terminal, for which the registry passes requests on to their identity provider. It stores nothing. */
package dev.agenthealth.functions.operations.signin;
