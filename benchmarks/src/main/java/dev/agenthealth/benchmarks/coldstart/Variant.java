package dev.agenthealth.benchmarks.coldstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One way to start the function.
 *
 * @param name in the table
 * @param javaHome the JDK
 * @param options of the JVM, besides those of all variants
 * @param task where the package is unpacked
 * @param classPath the package as a jar, where it is on the class path and not loaded from the task's folder as in a managed runtime
 * @param handler its class and method
 * @param environment besides the template's
 */
record Variant(
        String name,
        Path javaHome,
        List<String> options,
        Path task,
        List<Path> classPath,
        String handler,
        Map<String, String> environment) {

    Variant with(String newName, List<String> newOptions) {
        return new Variant(newName, javaHome, newOptions, task, classPath, handler, environment);
    }
}
