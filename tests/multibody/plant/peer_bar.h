#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Core>

// A bar's vertices, here and in the tables of tests/oracles.
namespace wyvern::multibody::peer_bar {

struct PeerVertex {
  Eigen::Vector3d start, end;
};

inline std::vector<PeerVertex> ReadPeer(const std::string& table,
                                        const std::string& wanted) {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/" + table);
  std::vector<PeerVertex> result;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string scene;
    PeerVertex vertex;
    words >> scene;
    for (int i = 0; i < 3; ++i) words >> vertex.start[i];
    for (int i = 0; i < 3; ++i) words >> vertex.end[i];
    EXPECT_TRUE(words) << line;
    if (scene == wanted) result.push_back(vertex);
  }
  return result;
}

inline std::vector<PeerVertex> Pair(const Eigen::Matrix3Xd& start,
                                    const Eigen::Matrix3Xd& end) {
  std::vector<PeerVertex> result;
  for (int i = 0; i < start.cols(); ++i) {
    result.push_back({start.col(i), end.col(i)});
  }
  return result;
}

// The largest distance of a vertex from the other's that started there.
inline double Distance(const std::vector<PeerVertex>& ours,
                       const std::vector<PeerVertex>& peers) {
  EXPECT_EQ(peers.size(), ours.size());
  double result = 0;
  for (const PeerVertex& vertex : ours) {
    int found = 0;
    for (const PeerVertex& peer : peers) {
      if ((peer.start - vertex.start).norm() > 1e-9) continue;
      result = std::max(result, (peer.end - vertex.end).norm());
      ++found;
    }
    EXPECT_EQ(found, 1);
  }
  return result;
}

}  // namespace wyvern::multibody::peer_bar
