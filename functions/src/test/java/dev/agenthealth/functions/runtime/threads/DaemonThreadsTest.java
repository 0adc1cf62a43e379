package dev.agenthealth.functions.runtime.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

    @Test
    void a_pool_has_no_thread_for_longer_than_it_has_tasks() throws Exception {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) DaemonThreads.pool(2, "worker");
        assertThat(pool.getPoolSize()).isZero();
        Thread worker = pool.submit(Thread::currentThread).get();
        assertThat(worker.getName()).isEqualTo("worker-1");
        assertThat(worker.isDaemon()).isTrue();
        pool.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
        worker.join();
        assertThat(pool.getPoolSize()).isZero();
        assertThat(pool.submit(() -> 7).get()).isEqualTo(7);
        pool.shutdownNow();
    }
}
