package dev.agenthealth.local.testing;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Runs a program that ends with the process that started it, also where that one is killed: the system then closes what the program reads from. */
public final class EndsWithParent {

    private EndsWithParent() {}

    /** @param arguments the main class of the program and its arguments */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(EndsWithParent::awaitEnd, "parent");
        watch.setDaemon(true);
        watch.start();
        Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is written for it.
                continue;
            }
        } catch (IOException e) {
            // The same.
        }
        Runtime.getRuntime().halt(1);
    }
}
