/** Reading and writing JSON trees and numbers, independent of requests and storage. */
package dev.agenthealth.functions.runtime.json;
