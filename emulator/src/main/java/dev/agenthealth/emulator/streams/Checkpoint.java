package dev.agenthealth.emulator.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Stores the position of a stream mapping, at which a restart continues. */
public interface Checkpoint {

    /** The last stored position; the beginning when there is none. */
    StreamPosition load();

    /** Stores a position: every record before it was processed. */
    void store(StreamPosition position);

    /** Stores nothing: for a stream in memory. */
    static Checkpoint none() {
        return new Checkpoint() {
            @Override
            public StreamPosition load() {
                return StreamPosition.BEGINNING;
            }

            @Override
            public void store(StreamPosition position) {
                // The stream does not outlive the process.
            }
        };
    }

    /** Stores the position in a file, which is replaced atomically. */
    static Checkpoint in(Path file) {
        return new Checkpoint() {
            @Override
            public StreamPosition load() {
                try {
                    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
                    return lines.size() == 2
                            ? new StreamPosition(lines.get(0), lines.get(1))
                            : StreamPosition.BEGINNING;
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read " + file, e);
                }
            }

            @Override
            public void store(StreamPosition position) {
                Path next = file.resolveSibling(file.getFileName() + ".next");
                String text = position.shardId() + "\n" + position.sequenceNumber() + "\n";
                try {
                    Files.writeString(next, text, StandardCharsets.UTF_8);
                    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot write " + file, e);
                }
            }
        };
    }
}
