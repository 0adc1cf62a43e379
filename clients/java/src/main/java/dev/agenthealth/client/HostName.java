package dev.agenthealth.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the name of this host. */
final class HostName {

    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

    private static final int MAX_LENGTH = 255;

    private HostName() {}

    /** Returns the name in a form that a registration accepts; empty if there is no such name. */
    static String read() {
        String name = ofLinux()
                .or(() -> Optional.ofNullable(System.getenv("COMPUTERNAME")))
                .orElseGet(HostName::ofAddress);
        String printable = name.replaceAll("\\p{Cntrl}", "").strip();
        return printable.substring(0, Math.min(printable.length(), MAX_LENGTH));
    }

    /** Returns the name that Linux reports. A lookup of the address may take seconds. */
    private static Optional<String> ofLinux() {
        try {
            return Files.exists(LINUX) ? Optional.of(Files.readString(LINUX)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String ofAddress() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "";
        }
    }
}
