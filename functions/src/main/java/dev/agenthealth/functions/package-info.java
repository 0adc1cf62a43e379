/** The entry points of the Lambda functions. A function composes the routes of the feature packages; nothing else belongs here. */
package dev.agenthealth.functions;
